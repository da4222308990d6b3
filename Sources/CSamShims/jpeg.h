// libjpeg reports a fatal error by calling a function that must not return. The fence here holds
// the setjmp, so that no longjmp ever crosses a Swift frame.
#pragma once
