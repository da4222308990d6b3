import Foundation
import SamImageIO
import SamTestSupport
import Testing

/// Files that are no pictures, or no whole ones: always a typed error that names the file.
struct FaultyFileTests {
  enum Fault: Sendable {
    case truncated, corrupt, unsupported, noPixels, tooManyPixels

    func matches(_ error: ImageIOError) -> Bool {
      switch (self, error) {
      case (.truncated, .truncated), (.corrupt, .corrupt), (.unsupported, .unsupported),
        (.noPixels, .noPixels), (.tooManyPixels, .tooManyPixels):
        true
      default: false
      }
    }
  }

  private static let faults: [String: Fault] = [
    "zero_width.png": .noPixels, "zero_height.png": .noPixels,
    "too_many_pixels.png": .tooManyPixels, "too_wide.png": .tooManyPixels,
    "half_the_rows.png": .corrupt, "no_end.png": .truncated, "no_pixels.png": .corrupt,
    "no_header.png": .corrupt, "no_palette.png": .corrupt, "bad_depth.png": .corrupt,
    "bad_checksum.png": .corrupt, "bad_length.png": .corrupt, "two_headers.png": .corrupt,
    "too_many_pixels.jpg": .tooManyPixels, "zero_height.jpg": .noPixels,
    "zero_width.jpg": .noPixels, "twelve_bits.jpg": .unsupported, "lossless.jpg": .unsupported,
    "many_scans.jpg": .unsupported, "no_scan.jpg": .corrupt,
    "taller_than_its_data.jpg": .corrupt,
  ]

  @Test func allFaultyGoldensAreTried() {
    #expect(Goldens.names { $0.hasPrefix("bad_") && $0 != "bad_profile.png" }.count == 21)
    #expect(Self.faults.count == 21)
  }

  @Test(arguments: faults.keys.sorted())
  func eachFaultHasItsError(_ name: String) throws {
    let fault = try #require(Self.faults[name])
    let url = Goldens.url("bad_" + name)
    let error = try #require(throws: ImageIOError.self) {
      try ImageDecoder().decode(contentsOf: url)
    }
    #expect(fault.matches(error), "\(error)")
    #expect(error.description.hasPrefix(url.path + ": "))
  }

  @Test(arguments: [
    "rgb8.png", "gray16_interlaced.png", "rgba16.png", "palette4_transparent.png",
    "gamma_linear.png",
    "color_420.jpg", "gray.jpg", "progressive.jpg", "restarts.jpg", "ycck.jpg", "orientation6.jpg",
  ])
  func aFileCutAnywhereIsAnError(_ name: String) throws {
    let data = try Data(contentsOf: Goldens.url(name))
    for count in 0..<data.count {
      do throws(ImageIOError) {
        _ = try ImageDecoder().decode(data.prefix(count), name: "cut")
        Issue.record("\(count) of \(data.count) bytes give a picture")
      } catch {
        switch error {
        case .empty: #expect(count == 0)
        case .unknownFormat: #expect(count < 8)
        case .truncated: break
        default: Issue.record("\(count) of \(data.count) bytes: \(error)")
        }
      }
    }
  }

  @Test(arguments: ["coffee.png", "rocket.jpg"])
  func aPhotographCutAtTwentyPlacesIsAnError(_ name: String) throws {
    let data = try Data(contentsOf: TestPhotos.url(name))
    for place in 1...20 {
      let cut = data.prefix(data.count * place / 21)
      #expect(
        throws: ImageIOError.truncated(file: "cut", format: name == "rocket.jpg" ? .jpeg : .png)
      ) {
        try ImageDecoder().decode(cut, name: "cut")
      }
    }
  }

  /// Flipped bits give a picture or an error; what matters is that they give one.
  @Test(arguments: [
    "rgb8.png", "rgba16_interlaced.png", "palette2_transparent.png", "turned.png",
    "gamma_linear16.png", "bad_profile.png", "color_420.jpg", "progressive.jpg", "restarts.jpg",
    "cmyk_progressive.jpg", "ycck.jpg", "orientation5.jpg",
  ])
  func flippedBitsNeverCrash(_ name: String) throws {
    let data = try Data(contentsOf: Goldens.url(name))
    let decoder = ImageDecoder(maximumPixelCount: 4_000_000)
    var random = SeededGenerator(seed: 20)
    var outcomes = (pictures: 0, errors: 0)
    for _ in 0..<150 {
      var damaged = data
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 8..<data.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      do throws(ImageIOError) {
        let picture = try decoder.decode(damaged, name: "damaged")
        #expect(picture.pixels.count == picture.width * picture.height * picture.channels)
        outcomes.pictures += 1
      } catch {
        #expect(error.description.hasPrefix("damaged: "))
        outcomes.errors += 1
      }
    }
    #expect(outcomes.errors > 0)
  }

  @Test func theLimitIsThePixelsOfTheHeader() throws {
    let url = Goldens.url("rgb8.png")
    #expect(throws: Never.self) {
      try ImageDecoder(maximumPixelCount: 29 * 19).decode(contentsOf: url)
    }
    let tooMany = ImageIOError.tooManyPixels(
      file: url.path, width: 29, height: 19, limit: 29 * 19 - 1)
    #expect(throws: tooMany) {
      try ImageDecoder(maximumPixelCount: 29 * 19 - 1).decode(contentsOf: url)
    }
    #expect(throws: tooMany) {
      try ImageDecoder(maximumPixelCount: 29 * 19 - 1).probe(contentsOf: url)
    }
  }

  @Test func whatIsNoPictureFileIsNamed() throws {
    let folder = try TemporaryFolder()
    let decoder = ImageDecoder()
    let missing = folder.file("missing.png")
    #expect(throws: ImageIOError.missing(file: missing.path)) {
      try decoder.decode(contentsOf: missing)
    }
    #expect(throws: ImageIOError.isDirectory(file: folder.url.path)) {
      try decoder.decode(contentsOf: folder.url)
    }
    let empty = try folder.write([], as: "empty.jpg")
    #expect(throws: ImageIOError.empty(file: empty.path)) {
      try decoder.decode(contentsOf: empty)
    }
    let text = try folder.write("No picture at all.".utf8, as: "text.png")
    #expect(throws: ImageIOError.unknownFormat(file: text.path)) {
      try decoder.decode(contentsOf: text)
    }
    #expect(throws: ImageIOError.unknownFormat(file: "/dev/zero")) {
      try decoder.decode(contentsOf: URL(fileURLWithPath: "/dev/zero"))
    }
    let beyond = text.appendingPathComponent("picture.png")
    let error = try #require(throws: ImageIOError.self) { try decoder.decode(contentsOf: beyond) }
    guard case .unreadable(beyond.path, _) = error else {
      Issue.record("\(error)")
      return
    }
    let remote = try #require(URL(string: "https://example.org/picture.png"))
    #expect(
      throws: ImageIOError.unreadable(
        file: "https://example.org/picture.png", reason: "it is not a file URL")
    ) {
      try decoder.decode(contentsOf: remote)
    }
    #expect(throws: ImageIOError.empty(file: "image data")) { try decoder.decode(Data()) }
  }

  @Test func theContentCountsNotTheName() throws {
    let folder = try TemporaryFolder()
    let url = try folder.write(Data(contentsOf: Goldens.url("gray.jpg")), as: "gray.png")
    #expect(try ImageDecoder().probe(contentsOf: url).format == .jpeg)
    #expect(try ImageDecoder().decode(contentsOf: url).channels == 1)
  }
}

/// Repeatable random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
