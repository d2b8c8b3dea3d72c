/** Runs once when the web server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { endWithParent } = await import('@/lib/server/process/end-with-parent')
  endWithParent()
  const { notePeers } = await import('@/lib/server/access/peer')
  notePeers()
}
