/// A model that SamSwift knows by name.
package struct CatalogueModel: Sendable, Equatable {
  /// What users call it: `lite`, `mobile-sam`.
  package let name: String
  /// One line about it.
  package let summary: String
  package let licence: String
  /// Length of its file in bytes.
  package let size: Int
  /// SHA-256 of its file, as 64 hexadecimal digits.
  package let checksum: String
  /// Where its weights come from.
  package let source: Source

  /// Where a model's weights come from.
  package enum Source: Sendable, Equatable {
    /// They travel with SamSwift.
    case bundled
    /// They are fetched once, and lie in the store under `fileName`.
    case download(address: String, fileName: String)
  }

  package init(
    name: String, summary: String, licence: String, size: Int, checksum: String, source: Source
  ) {
    self.name = name
    self.summary = summary
    self.licence = licence
    self.size = size
    self.checksum = checksum
    self.source = source
  }
}

extension CatalogueModel {
  /// SamSwift's own small model.
  package static let lite = CatalogueModel(
    name: "lite", summary: "SamSwift Lite, 5.3 M parameters; part of SamSwift",
    licence: "research and evaluation; see Weights/README.md", size: 10_804_232,
    checksum: "f89c0343aae0aeea7552f59f63da6ec9d87b6cfba1390a5eb6cb0981e00a1249", source: .bundled)

  /// The official MobileSAM checkpoint, as its authors publish it.
  package static let mobileSam = CatalogueModel(
    name: "mobile-sam", summary: "MobileSAM, 10.1 M parameters; downloaded once",
    licence: "Apache-2.0", size: 40_728_226,
    checksum: "6dbb90523a35330fedd7f1d3dfc66f995213d81b29a5ca8108dbcdd4e37d6c2f",
    source: .download(
      address: "https://github.com/ChaoningZhang/MobileSAM/raw/master/weights/mobile_sam.pt",
      fileName: "mobile_sam.pt"))

  /// Every model, the default first.
  package static let all = [lite, mobileSam]

  /// The model with what the environment says about its file in place of the catalogue.
  ///
  /// `SAMSWIFT_MOBILE_SAM_URL` is another address for the same file, such as a mirror's. Where a
  /// mirror serves other weights of the same network, `SAMSWIFT_MOBILE_SAM_SIZE` and
  /// `SAMSWIFT_MOBILE_SAM_SHA256` say what to expect.
  ///
  /// - Throws: ``WeightStoreError/badVariable(name:value:wanted:)``.
  func overridden(by variables: [String: String]) throws(WeightStoreError) -> CatalogueModel {
    guard case .download(var address, let fileName) = source else { return self }
    var size = size
    var checksum = checksum
    let prefix = "SAMSWIFT_" + name.uppercased().replacing("-", with: "_")
    if let text = variables[prefix + "_URL"], !text.isEmpty {
      guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
        throw .badVariable(name: prefix + "_URL", value: text, wanted: "an http or https address")
      }
      address = text
    }
    if let text = variables[prefix + "_SIZE"], !text.isEmpty {
      guard let number = Int(text), number > 0 else {
        throw .badVariable(name: prefix + "_SIZE", value: text, wanted: "a number of bytes")
      }
      size = number
    }
    if let text = variables[prefix + "_SHA256"], !text.isEmpty {
      let digits = text.lowercased()
      guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else {
        throw .badVariable(
          name: prefix + "_SHA256", value: text, wanted: "64 hexadecimal digits")
      }
      checksum = digits
    }
    return CatalogueModel(
      name: name, summary: summary, licence: licence, size: size, checksum: checksum,
      source: .download(address: address, fileName: fileName))
  }
}
