// utf8proc: <https://juliastrings.github.io/utf8proc/doc/>.
#include <utf8proc.h>
