// libjpeg reports a fatal error by calling a function that must not return. The fence here holds
// the setjmp, so that no longjmp ever crosses a Swift frame: every function enters the library,
// and either all of it returns or the fence gives a failure. Nothing calls back into Swift.
//
// Warnings that mean lost pixels (the data end early, a code is wrong) are failures too; libjpeg
// would fill the rest with gray.
#pragma once
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#define SAM_JPEG_FENCED static inline __attribute__((noinline, unused))

// What went wrong, for the caller to make its own error of.
enum SamJPEGFault {
  SamJPEGFaultNone = 0,
  SamJPEGFaultTruncated,
  SamJPEGFaultCorrupt,
  SamJPEGFaultEmptyImage,
  SamJPEGFaultTooLarge,
  SamJPEGFaultUnsupported,
  SamJPEGFaultNoMemory,
  SamJPEGFaultTooManyScans
};

typedef struct {
  struct jpeg_error_mgr manager;  // First: libjpeg hands back its address.
  jmp_buf fence;
  enum SamJPEGFault fault;
  char message[JMSG_LENGTH_MAX];
} SamJPEGFence;

static inline enum SamJPEGFault samJPEGFaultOfCode(int code) {
  switch (code) {
    case JWRN_JPEG_EOF:
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY:
      return SamJPEGFaultTruncated;
    case JERR_EMPTY_IMAGE:
      return SamJPEGFaultEmptyImage;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
      return SamJPEGFaultTooLarge;
    case JERR_OUT_OF_MEMORY:
      return SamJPEGFaultNoMemory;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
      return SamJPEGFaultUnsupported;
    default:
      return SamJPEGFaultCorrupt;
  }
}

static void samJPEGFail(j_common_ptr codec) {
  SamJPEGFence *fence = (SamJPEGFence *)codec->err;
  fence->fault = samJPEGFaultOfCode(fence->manager.msg_code);
  fence->manager.format_message(codec, fence->message);
  longjmp(fence->fence, 1);
}

static void samJPEGNote(j_common_ptr codec, int level) {
  if (level >= 0) return;  // Trace messages.
  switch (codec->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL:
      samJPEGFail(codec);
      break;
    default:
      break;  // Stray bytes between segments, an odd version number: the pixels are whole.
  }
}

static void samJPEGSilence(j_common_ptr codec) { (void)codec; }

static inline void samJPEGPrepareFence(SamJPEGFence *fence) {
  jpeg_std_error(&fence->manager);
  fence->manager.error_exit = samJPEGFail;
  fence->manager.emit_message = samJPEGNote;
  fence->manager.output_message = samJPEGSilence;
}

// MARK: Reading

typedef struct {
  SamJPEGFence fence;
  struct jpeg_decompress_struct codec;
  struct jpeg_progress_mgr progress;
} SamJPEGReader;

// A progressive file may hold any number of scans, each of which costs time for the whole picture
// and next to no bytes. Encoders write a dozen.
static void samJPEGCountScans(j_common_ptr codec) {
  if (((j_decompress_ptr)codec)->input_scan_number <= 100) return;
  SamJPEGFence *fence = (SamJPEGFence *)codec->err;
  fence->fault = SamJPEGFaultTooManyScans;
  strcpy(fence->message, "more than 100 scans");
  longjmp(fence->fence, 1);
}

// The bytes must outlive the reader. NULL when there is no memory.
SAM_JPEG_FENCED SamJPEGReader *samJPEGReaderCreate(const unsigned char *bytes, size_t count) {
  SamJPEGReader *reader = (SamJPEGReader *)calloc(1, sizeof(SamJPEGReader));
  if (!reader) return NULL;
  samJPEGPrepareFence(&reader->fence);
  reader->codec.err = &reader->fence.manager;
  if (setjmp(reader->fence.fence)) {
    jpeg_destroy_decompress(&reader->codec);
    free(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->codec);
  reader->progress.progress_monitor = samJPEGCountScans;
  reader->codec.progress = &reader->progress;
  jpeg_save_markers(&reader->codec, JPEG_APP0 + 1, 0xFFFF);
  jpeg_mem_src(&reader->codec, bytes, (unsigned long)count);
  return reader;
}

static inline void samJPEGReaderDestroy(SamJPEGReader *reader) {
  jpeg_destroy_decompress(&reader->codec);
  free(reader);
}

// Reads up to the first scan: sizes, components, markers. 0 on success.
SAM_JPEG_FENCED int samJPEGReadHeader(SamJPEGReader *reader) {
  if (setjmp(reader->fence.fence)) return -1;
  jpeg_read_header(&reader->codec, TRUE);
  return 0;
}

// 0 on success.
SAM_JPEG_FENCED int samJPEGStartReading(SamJPEGReader *reader, J_COLOR_SPACE output) {
  if (setjmp(reader->fence.fence)) return -1;
  reader->codec.out_color_space = output;
  jpeg_start_decompress(&reader->codec);
  return 0;
}

// Decodes the next `count` rows, `stride` bytes apart. 0 on success.
SAM_JPEG_FENCED int samJPEGReadRows(
    SamJPEGReader *reader, unsigned char *rows, ptrdiff_t stride, int count) {
  if (setjmp(reader->fence.fence)) return -1;
  JDIMENSION end = reader->codec.output_scanline + (JDIMENSION)count;
  JDIMENSION first = reader->codec.output_scanline;
  while (reader->codec.output_scanline < end) {
    JSAMPROW row = rows + stride * (ptrdiff_t)(reader->codec.output_scanline - first);
    jpeg_read_scanlines(&reader->codec, &row, 1);
  }
  return 0;
}

// Reads to the end marker: a file cut there fails here. 0 on success.
SAM_JPEG_FENCED int samJPEGFinishReading(SamJPEGReader *reader) {
  if (setjmp(reader->fence.fence)) return -1;
  jpeg_finish_decompress(&reader->codec);
  return 0;
}

// MARK: Writing

typedef struct {
  SamJPEGFence fence;
  struct jpeg_compress_struct codec;
  unsigned char *bytes;  // malloc'ed by libjpeg.
  unsigned long count;
} SamJPEGWriter;

static inline void samJPEGWriterDestroy(SamJPEGWriter *writer) {
  jpeg_destroy_compress(&writer->codec);
  free(writer->bytes);
  free(writer);
}

// NULL when there is no memory.
SAM_JPEG_FENCED SamJPEGWriter *samJPEGWriterCreate(void) {
  SamJPEGWriter *writer = (SamJPEGWriter *)calloc(1, sizeof(SamJPEGWriter));
  if (!writer) return NULL;
  samJPEGPrepareFence(&writer->fence);
  writer->codec.err = &writer->fence.manager;
  if (setjmp(writer->fence.fence)) {
    samJPEGWriterDestroy(writer);
    return NULL;
  }
  jpeg_create_compress(&writer->codec);
  jpeg_mem_dest(&writer->codec, &writer->bytes, &writer->count);
  return writer;
}

// `channels` is 1 (gray) or 3 (RGB). 0 on success.
SAM_JPEG_FENCED int samJPEGStartWriting(
    SamJPEGWriter *writer, int width, int height, int channels, int quality, int halvesColor) {
  if (setjmp(writer->fence.fence)) return -1;
  writer->codec.image_width = (JDIMENSION)width;
  writer->codec.image_height = (JDIMENSION)height;
  writer->codec.input_components = channels;
  writer->codec.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&writer->codec);
  jpeg_set_quality(&writer->codec, quality, TRUE);
  writer->codec.optimize_coding = TRUE;
  if (channels == 3 && !halvesColor) {
    writer->codec.comp_info[0].h_samp_factor = 1;
    writer->codec.comp_info[0].v_samp_factor = 1;
  }
  jpeg_start_compress(&writer->codec, TRUE);
  return 0;
}

// 0 on success.
SAM_JPEG_FENCED int samJPEGWriteRows(
    SamJPEGWriter *writer, const unsigned char *rows, ptrdiff_t stride, int count) {
  if (setjmp(writer->fence.fence)) return -1;
  JDIMENSION first = writer->codec.next_scanline;
  JDIMENSION end = first + (JDIMENSION)count;
  while (writer->codec.next_scanline < end) {
    JSAMPROW row =
        (JSAMPROW)(rows + stride * (ptrdiff_t)(writer->codec.next_scanline - first));
    jpeg_write_scanlines(&writer->codec, &row, 1);
  }
  return 0;
}

// Afterwards `bytes` and `count` are the file, until the writer is destroyed. 0 on success.
SAM_JPEG_FENCED int samJPEGFinishWriting(SamJPEGWriter *writer) {
  if (setjmp(writer->fence.fence)) return -1;
  jpeg_finish_compress(&writer->codec);
  return 0;
}

#undef SAM_JPEG_FENCED
