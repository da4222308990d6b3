import Foundation

extension GenerateIterativeSegmentationRequest: DownloadableAssetsRequest {
  /// Whether the model's weights are there; the default model's always are.
  public var assetStatus: DownloadableAssetsRequestStatus {
    get async {
      do {
        _ = try ModelFile.locate(model)
        return .ready
      } catch { return .notReady }
    }
  }

  /// Downloads the model's weights; returns at once where they are there.
  ///
  /// - Throws: ``VisionError/dataUnavailable(_:)``.
  public func downloadAssets() async throws {
    try await downloadAssets(progress: Progress(totalUnitCount: 1))
  }

  /// Downloads the model's weights and tells how far it is.
  ///
  /// - Parameter progress: Its units are added up to as the download goes on.
  /// - Throws: ``VisionError/dataUnavailable(_:)``.
  public func downloadAssets(progress: Progress) async throws {
    do {
      _ = try ModelFile.locate(model)
      progress.completedUnitCount = progress.totalUnitCount
    } catch { throw VisionError(error) }
  }
}
