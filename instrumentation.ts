/**
 * Runs once when the web server starts. Started by `plimsoll serve`, standard input is a pipe that ends with it, however
 * it ends; the server must not stay behind and hold the port.
 */
export function register(): void {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || !process.env.PLIMSOLL_CHILD) return
  process.stdin.resume().on('end', () => process.exit(0))
}
