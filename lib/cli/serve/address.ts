import { DEFAULT_HOST } from '../../config/env'

/** The host of an address to open: a server bound to all addresses is reachable at loopback too. */
export function urlHost(host: string): string {
  const name = host.replace(/^\[|\]$/g, '')
  if (name === '0.0.0.0' || name === '::') return DEFAULT_HOST
  return name.includes(':') ? `[${name}]` : name
}
