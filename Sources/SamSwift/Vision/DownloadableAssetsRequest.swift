import Foundation

/// A request that needs files which may have to be downloaded first.
public protocol DownloadableAssetsRequest {
  /// Whether the files are there.
  var assetStatus: DownloadableAssetsRequestStatus { get async }

  /// Downloads the files; returns at once where they are there.
  ///
  /// - Throws: An error where the download fails.
  func downloadAssets() async throws

  /// Downloads the files and tells how far it is.
  ///
  /// - Parameter progress: Its units are added up to as the download goes on. (Vision takes a
  ///   `Subprogress`, which Foundation on Linux does not have.)
  /// - Throws: An error where the download fails.
  func downloadAssets(progress: Progress) async throws
}

/// Whether the files that a request needs are there.
public enum DownloadableAssetsRequestStatus: Sendable {
  /// The files are there.
  case ready
  /// The files are not there, or it is not known.
  case notReady
  /// The files are being downloaded.
  case downloading
  /// The last download failed.
  case error(any Error)
}

extension DownloadableAssetsRequestStatus: Equatable {
  /// Whether two statuses are of the same case, and two errors of the same wording.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.ready, .ready), (.notReady, .notReady), (.downloading, .downloading): true
    case (.error(let left), .error(let right)): "\(left)" == "\(right)"
    default: false
    }
  }
}
