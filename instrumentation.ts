/** Runs once when the web server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { endWithParent } = await import('@/lib/server/end-with-parent')
  endWithParent()
}
