// The types of CBLAS; the library itself is loaded when it is first wanted (SamTensor's OpenBLASLibrary).
#pragma once
#include <cblas.h>
