# The tag of C++ exceptions, which this toolchain's libraries use and do not define.
	.tagtype	__cpp_exception i32
	.globl	__cpp_exception
__cpp_exception:
