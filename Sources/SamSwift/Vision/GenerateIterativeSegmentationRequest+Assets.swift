import Foundation

extension GenerateIterativeSegmentationRequest: DownloadableAssetsRequest {
  /// Whether the model's weights are there; the default model's always are.
  public var assetStatus: DownloadableAssetsRequestStatus {
    get async {
      do throws(SamSwiftError) {
        return try ModelAssets.current(for: model).status(of: model)
      } catch { return .error(VisionError(error)) }
    }
  }

  /// Downloads the model's weights; returns at once where they are there.
  ///
  /// - Throws: ``VisionError/dataUnavailable(_:)``, ``VisionError/requestCancelled(_:)``.
  public func downloadAssets() async throws {
    try await downloadAssets(progress: Progress(totalUnitCount: 1))
  }

  /// Downloads the model's weights and tells how far it is.
  ///
  /// - Parameter progress: Its units are completed as the download goes on; all of them are when it
  ///   ends.
  /// - Throws: ``VisionError/dataUnavailable(_:)``, ``VisionError/requestCancelled(_:)``.
  public func downloadAssets(progress: Progress) async throws {
    let total = progress.totalUnitCount
    do throws(SamSwiftError) {
      try await ModelAssets.current(for: model).download(model) { share in
        progress.completedUnitCount = Int64(share * Double(total))
      }
    } catch { throw VisionError(error) }
  }
}
