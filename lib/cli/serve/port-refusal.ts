import { createServer } from 'node:net'

/**
 * Why a server cannot listen at `host` and `port` now; null when it can. With port 0 only the address is tried. Another
 * process can still be faster between this check and the real start; the server's own error tells then.
 */
export function portRefusal(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(explain(error, host, port)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use, perhaps by a Plimsoll that runs already. Choose another one with --port or PLIMSOLL_PORT.`
    case 'EACCES':
      return `Port ${port} may not be used by this account. Choose one above 1023 with --port or PLIMSOLL_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine.`
    default:
      return `Cannot listen on ${host} port ${port}: ${error.message}`
  }
}
