// Processors for the threads of Mesa's llvmpipe, which draws where there is no GPU.
#pragma once

namespace warplens::app {

// Each of them on a processor of its own, of those that this thread may use; nothing for other renderers.
// Left to Linux, two of them often wake up on one processor while the other is at work on what can wait: a
// picture took up to twice as long on two processors. They share the work out among themselves, so one whose
// processor is busy leaves it to the others. Precondition: an OpenGL context is current.
void spread_renderer_threads();

}  // namespace warplens::app
