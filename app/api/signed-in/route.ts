/** Answers visitors who are let in; the door answers all others. Pages ask when their live line ends. */
export function GET(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
