# What one lane or one warp's matrix unit computes: pure functions, no execution. Included by this folder's CMakeLists.txt.
warplens_library(warplens_semantics
  SOURCES semantics.cpp semantics_integer.cpp semantics_bits.cpp semantics_float.cpp semantics_approx.cpp
          semantics_compare.cpp semantics_convert.cpp matrix.cpp
  LINKS warplens_ptx)
warplens_test(semantics_test SOURCES semantics_test.cpp semantics_forms.cpp float_formats_test.cpp matrix_test.cpp LINKS warplens_semantics)
