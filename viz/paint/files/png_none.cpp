// PNG without libpng: each row as its difference from the one above, so that cells of several pixels leave rows of zeros, and
// zeros as runs, in the fixed code of DEFLATE (RFC 1951, 3.2.6; PNG, third edition, 9 and 10).
#include <array>

#include "viz/paint/files/png.hpp"

namespace warplens::paint {
namespace {

class BitWriter {
 public:
  void put(std::uint32_t bits, int count) {  // the lowest first
    for (int i = 0; i < count; ++i) {
      byte_ |= static_cast<std::uint8_t>((bits >> i & 1) << used_);
      if (++used_ == 8) flush();
    }
  }
  void put_code(std::uint32_t code, int count) {  // Huffman codes begin with their highest bit
    for (int i = count - 1; i >= 0; --i) put(code >> i & 1, 1);
  }
  void flush() {
    if (used_ == 0) return;
    bytes_.push_back(byte_);
    byte_ = 0, used_ = 0;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
  std::uint8_t byte_ = 0;
  int used_ = 0;
};

void put_symbol(BitWriter& out, int symbol) {
  if (symbol < 144) return out.put_code(static_cast<std::uint32_t>(0x30 + symbol), 8);
  if (symbol < 256) return out.put_code(static_cast<std::uint32_t>(0x190 + symbol - 144), 9);
  if (symbol < 280) return out.put_code(static_cast<std::uint32_t>(symbol - 256), 7);
  out.put_code(static_cast<std::uint32_t>(0xc0 + symbol - 280), 8);
}

// The symbol of a length, its extra bits: 257 to 264 are 3 to 10, then four of each number of extra bits.
void put_length(BitWriter& out, int length) {
  if (length == 258) return put_symbol(out, 285);
  if (length < 11) return put_symbol(out, 254 + length);
  int extra = 1;
  while (length - 3 >= 8 << extra) ++extra;
  const int above = length - 3 - (4 << extra);
  put_symbol(out, 265 + 4 * (extra - 1) + (above >> extra));
  out.put(static_cast<std::uint32_t>(above & ((1 << extra) - 1)), extra);
}

// Four bytes a pixel; the same pixel again is a match four bytes back.
Bytes deflated(const Bytes& raw) {
  constexpr std::size_t kBack = 4, kLeast = 3, kMost = 258;
  BitWriter out;
  out.put(1, 1), out.put(1, 2);
  for (std::size_t at = 0; at < raw.size();) {
    std::size_t length = 0;
    while (at >= kBack && length < kMost && at + length < raw.size() &&
           raw[at + length] == raw[at + length - kBack])
      ++length;
    if (length < kLeast) {
      put_symbol(out, raw[at++]);
      continue;
    }
    put_length(out, static_cast<int>(length));
    out.put_code(3, 5);  // the distance 4
    at += length;
  }
  put_symbol(out, 256);
  out.flush();
  return out.take();
}

void put_number(Bytes& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(number >> shift));
}

std::uint32_t checksum(const Bytes& bytes, std::size_t from) {
  std::uint32_t sum = ~0u;
  for (std::size_t i = from; i < bytes.size(); ++i) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1) != 0 ? 0xedb88320u ^ sum >> 1 : sum >> 1;
  }
  return ~sum;
}

void put_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  put_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t from = out.size();
  out.insert(out.end(), type.begin(), type.end());
  out.insert(out.end(), data.begin(), data.end());
  put_number(out, checksum(out, from));
}

Bytes rows_of(const scene::Raster& raster) {
  Bytes rows;
  const auto width = static_cast<std::size_t>(raster.width);
  for (std::size_t i = 0; i < raster.pixels.size(); ++i) {
    if (i % width == 0) rows.push_back(2);  // the filter "Up"
    const theme::Rgba now = raster.pixels[i],
                      above = i < width ? theme::Rgba{0, 0, 0, 0} : raster.pixels[i - width];
    for (const int difference : {now.r - above.r, now.g - above.g, now.b - above.b, now.a - above.a})
      rows.push_back(static_cast<std::uint8_t>(difference));
  }
  return rows;
}

}  // namespace

Result<Bytes> encode_png(const scene::Raster& raster) {
  const Bytes rows = rows_of(raster);
  Bytes packed{0x78, 1};
  const Bytes body = deflated(rows);
  packed.insert(packed.end(), body.begin(), body.end());
  std::uint32_t low = 1, high = 0;
  for (const std::uint8_t byte : rows) low = (low + byte) % 65521, high = (high + low) % 65521;
  put_number(packed, high << 16 | low);
  Bytes head;
  put_number(head, static_cast<std::uint32_t>(raster.width));
  put_number(head, static_cast<std::uint32_t>(raster.height));
  head.insert(head.end(), {8, 6, 0, 0, 0});  // 8 bits a channel, with alpha
  Bytes out{0x89, 'P', 'N', 'G', 13, 10, 26, 10};
  put_chunk(out, "IHDR", head);
  put_chunk(out, "IDAT", packed);
  put_chunk(out, "IEND", {});
  return out;
}

Result<Bytes> encode_palette_png(const scene::Raster& raster) { return encode_png(raster); }

}  // namespace warplens::paint
