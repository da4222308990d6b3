// SamImageIO
