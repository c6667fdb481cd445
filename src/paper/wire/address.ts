// Addresses of callers: one may be written in several ways, and is the same all the same.

/**
 * `10.0.0.1` also for `::ffff:10.0.0.1`, an IPv4 caller of a dual-stack socket; IPv6 in its shortest form (RFC 5952).
 */
export function plainAddress(written: string): string {
  if (!written.includes(':')) return written;
  const [address = written, ...zone] = written.split('%');
  const shortest = shortestForm(address);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(shortest) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join('.');
  return [shortest, ...zone].join('%');
}

/** As a URL writes a host; what is no address stays as it is. */
function shortestForm(address: string): string {
  const url = URL.parse(`http://[${address}]`);
  return url === null ? address : url.hostname.slice(1, -1);
}

function bytesOf(word: string): readonly [number, number] {
  const value = Number.parseInt(word, 16);
  return [value >> 8, value & 0xff];
}
