import { createServer } from 'node:net'

export type PortCheck =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly message: string }

/**
 * Whether a server can listen at `host` and `port` now; port 0 lets the system choose one. Somebody else can still be
 * faster between this look and the real start; the server's own error tells then.
 */
export function checkPort(host: string, port: number): Promise<PortCheck> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve({ ok: false, message: explain(error, host, port) })
    })
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const chosen = address !== null && typeof address === 'object' ? address.port : port
      server.close(() => resolve({ ok: true, port: chosen }))
    })
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
