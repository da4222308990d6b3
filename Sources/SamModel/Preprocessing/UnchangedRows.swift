/// Hands out a picture's own rows, for a picture that already has the frame's size.
///
/// Pillow and OpenCV return the same bytes then; an RGB row goes to the sink where it lies.
struct UnchangedRows: RowResizing {
  let outputWidth: Int
  let outputHeight: Int

  func resize(_ picture: Picture, parallelFor: ParallelLoop, sink: @escaping RowSink) {
    picture.withRows { source in
      forEachBand(parallelFor) { band in
        let emitter = RowEmitter(width: outputWidth, channels: source.channels)
        if source.pixelStride == source.channels {
          for y in band {
            emitter.emit(y, source.row(y), to: sink)
          }
          return
        }
        let line = UnsafeMutablePointer<UInt8>.allocate(capacity: outputWidth * source.channels)
        defer { line.deallocate() }
        for y in band {
          source.copyLine(source.row(y), to: line)
          emitter.emit(y, line, to: sink)
        }
      }
    }
  }
}
