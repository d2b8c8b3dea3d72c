import 'server-only'
import { cache } from 'react'

/**
 * A reading that the parts of one page share: its layouts, its title and the page itself are rendered for one request
 * and get one answer, and an answer that reaches the browser from two parts travels once. The next request reads anew.
 * Outside of rendering (actions, API routes, tests) each call reads.
 *
 * React keeps what was read for as long as it renders the page. This is the only file of `lib/server` that knows React.
 * @param read arguments are compared with `Object.is`: plain values, not objects
 */
export function oncePerRender<Given extends readonly (string | number)[], T>(
  read: (...given: Given) => T,
): (...given: Given) => T {
  return cache(read)
}
