// swift-tools-version: 6.2
import PackageDescription

// MARK: Settings, once

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// Kernel modules are optimised in debug builds too; a debug run would be a hundred times slower.
let kernelBody: [SwiftSetting] = strict + [.unsafeFlags(["-Ounchecked"])]

/// Architecture flags exist on x86-64 only; arm64 compilers refuse them, and there the three
/// instantiations are the same code at different widths.
#if arch(x86_64)
  let avx2Flags = ["-Xcc", "-mavx2", "-Xcc", "-mfma"]
  let avx512Flags = [
    "-Xcc", "-mavx512f", "-Xcc", "-mavx512bw", "-Xcc", "-mavx512vl", "-Xcc", "-mavx512dq",
    "-Xcc", "-mfma",
  ]
  let bfloat16Flags = avx512Flags + ["-Xcc", "-mavx512bf16"]
#else
  let avx2Flags: [String] = []
  let avx512Flags: [String] = []
  let bfloat16Flags: [String] = []
#endif

func kernels(_ name: String, flags: [String] = [], more: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: ["KernelInterface", "KernelTemplates"] + more,
    exclude: ["README.md"],
    swiftSettings: kernelBody + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["SamTestSupport"], resources: resources,
    swiftSettings: strict)
}

let package = Package(
  name: "SamSwift",
  products: [
    .library(name: "SamSwift", targets: ["SamSwift"]),
    .executable(name: "samswift", targets: ["samswift"]),
    .executable(name: "samswift-bench", targets: ["samswift-bench"]),
  ],
  targets: [
    // MARK: C libraries, from Debian

    .systemLibrary(
      // Its header only: see SamTensor's OpenBLASLibrary.
      name: "COpenBLAS", path: "Sources/COpenBLAS", providers: [.apt(["libopenblas-dev"])]),
    .systemLibrary(
      name: "CPNG", path: "Sources/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CJPEG", path: "Sources/CJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSamShims", path: "Sources/CSamShims"),

    // MARK: Kernels

    .target(name: "KernelInterface", exclude: ["README.md"], swiftSettings: kernelBody),
    .target(
      name: "KernelsReference", dependencies: ["KernelInterface"], exclude: ["README.md"],
      swiftSettings: kernelBody),
    // `Builtin` lets KernelVector say each vector instruction; see there.
    .target(
      name: "KernelTemplates", dependencies: ["KernelInterface"], exclude: ["README.md"],
      swiftSettings: kernelBody + [.enableExperimentalFeature("BuiltinModule")]),
    kernels("KernelsBaseline"),
    kernels("KernelsAVX2", flags: avx2Flags),
    kernels("KernelsAVX512", flags: avx512Flags),
    kernels("KernelsBFloat16", flags: bfloat16Flags, more: ["CSamShims"]),

    // MARK: Files

    library("SamFiles", []),

    // MARK: Tensors, weights, network

    .target(
      name: "SamTensor",
      dependencies: [
        "KernelInterface", "KernelsReference", "KernelsBaseline", "KernelsAVX2", "KernelsAVX512",
        "KernelsBFloat16", "COpenBLAS", "CSamShims",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    // Optimised in debug builds too (every check stays): it widens millions of elements at each start.
    .target(
      name: "SamCheckpoint", dependencies: ["SamFiles"], exclude: ["README.md"],
      swiftSettings: strict + [.unsafeFlags(["-O"])]),
    .target(
      name: "SamModel", dependencies: ["SamTensor", "SamCheckpoint", "CSamShims"],
      exclude: ["README.md"],
      // Vectors over every pixel: optimised in debug builds too, with all checks kept.
      swiftSettings: strict + [.unsafeFlags(["-O"])]),

    // MARK: Pictures and masks

    .target(
      name: "SamImageIO", dependencies: ["SamFiles", "CPNG", "CJPEG", "CZlib", "CSamShims"],
      exclude: ["README.md"],
      // Filters every byte of a PNG: optimised in debug builds too, with all checks kept.
      swiftSettings: strict + [.unsafeFlags(["-O"])]),
    .target(
      name: "SamEditing", dependencies: ["SamImageIO"], exclude: ["README.md"],
      // Loops over every pixel: optimised in debug builds too, with all checks kept.
      swiftSettings: strict + [.unsafeFlags(["-O"])]),

    // MARK: Weights, API, command line

    .target(
      name: "SamWeights", path: "Weights", exclude: ["README.md", "SHA256SUMS"],
      resources: [.copy("samswift_lite.safetensors")], swiftSettings: strict),
    library("SamWeightStore", ["SamCheckpoint", "SamWeights"]),
    library("SamSwift", ["SamModel", "SamImageIO", "SamEditing", "SamWeightStore"]),
    .target(
      name: "SamEvaluation", dependencies: ["SamSwift", "SamTensor"], exclude: ["README.md"],
      // Loops over every pixel: optimised in debug builds too, with all checks kept.
      swiftSettings: strict + [.unsafeFlags(["-O"])]),
    library(
      "SamCommandLine",
      [
        "SamSwift", "SamEvaluation", "SamWeightStore", "SamCheckpoint", "SamTensor", "SamFiles",
        "CSamShims",
      ]),
    .executableTarget(name: "samswift", dependencies: ["SamCommandLine"], swiftSettings: strict),
    .executableTarget(
      name: "samswift-bench",
      dependencies: [
        "SamSwift", "SamModel", "SamTensor", "SamCheckpoint", "SamImageIO", "SamEditing",
        "SamWeights", "KernelInterface",
      ],
      path: "Benchmarks/samswift-bench", swiftSettings: strict),

    // MARK: Tests

    .target(
      name: "SamTestSupport", dependencies: ["SamCheckpoint"], path: "Tests/SamTestSupport",
      resources: [.copy("Photos")], swiftSettings: strict),
    tests(
      "KernelTests",
      [
        "KernelInterface", "KernelsReference", "KernelsBaseline", "KernelsAVX2", "KernelsAVX512",
        "KernelsBFloat16", "SamTensor",
      ]),
    tests("SamFilesTests", ["SamFiles"]),
    tests("SamTensorTests", ["SamTensor"]),
    tests("SamCheckpointTests", ["SamCheckpoint"], resources: [.copy("Goldens")]),
    tests(
      "SamModelTests", ["SamModel", "SamImageIO", "SamWeights"], resources: [.copy("Goldens")]),
    tests("SamImageIOTests", ["SamImageIO"], resources: [.copy("Goldens")]),
    tests("SamEditingTests", ["SamEditing"]),
    tests("SamWeightStoreTests", ["SamWeightStore", "SamCheckpoint"]),
    tests("SamSwiftTests", ["SamSwift"], resources: [.copy("Goldens")]),
    tests(
      "SamEvaluationTests", ["SamEvaluation", "SamModel", "SamCheckpoint"],
      resources: [.copy("Goldens")]),
    tests("SamCommandLineTests", ["SamCommandLine"], resources: [.copy("Help")]),
  ]
)
