// Whether a host is this machine alone.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
