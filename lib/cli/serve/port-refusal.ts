import { createServer } from 'node:net'
import { toTerminal } from '../print/terminal-text'
import { urlHost } from './address'
import { type PortHolder, portHolder } from './port-holder'

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

async function explain(error: NodeJS.ErrnoException, host: string, port: number): Promise<string> {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use ${byWhom(await portHolder(host, port), host, port)}`
    case 'EACCES':
      return `Port ${port} may not be used by this account. Choose one above 1023 with --port or PLIMSOLL_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine.`
    default:
      return `Cannot listen on ${host} port ${port}: ${error.message}`
  }
}

function byWhom({ isPlimsoll, pid, program }: PortHolder, host: string, port: number): string {
  const process = pid === null ? '' : `process ${pid}${program === null ? '' : `, ${toTerminal(program)}`}`
  if (isPlimsoll) {
    const where = process === '' ? '' : ` (${process})`
    return `by a Plimsoll that runs already${where}: http://${urlHost(host)}:${port}/. A link into it: plimsoll sign-in --port ${port}. For a second one choose another port with --port or PLIMSOLL_PORT.`
  }
  const other = process === '' ? 'another program' : process
  return `by ${other}. Choose another one with --port or PLIMSOLL_PORT.`
}
