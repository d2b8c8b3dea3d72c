/** What a request adds to its address to get credentials uncovered. */
export const REVEAL = 'reveal=1'

/** Whether a request asks for credentials uncovered. */
export function isRevealing(request: { readonly url: string }): boolean {
  return new URL(request.url).searchParams.get('reveal') === '1'
}
