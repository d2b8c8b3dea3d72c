import 'server-only'

/**
 * Ends this process when the `plimsoll serve` that started it is gone, however it went: standard input is a pipe from
 * it then. A server left behind would keep the port.
 */
export function endWithParent(): void {
  if (!process.env.PLIMSOLL_CHILD) return
  process.stdin.resume().on('end', () => process.exit(0))
}
