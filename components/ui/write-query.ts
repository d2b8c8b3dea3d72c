import { replaceAddress } from './replace-address'

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const WRITE_MS = 250

/**
 * Writes the query of the address a moment later; the present entry of the history is rewritten, so Back leaves the
 * page. A click on a link writes it at once, because rewriting the address would end the navigation that the click began.
 * @returns calls the writing off
 */
export function writeQuerySoon(query: string): () => void {
  const { pathname, search } = window.location
  if (query === search) return () => undefined
  const write = () => {
    callOff()
    if (window.location.pathname === pathname) replaceAddress(`${pathname}${query}`)
  }
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a[href]') !== null) write()
  }
  const timer = setTimeout(write, WRITE_MS)
  const callOff = () => {
    clearTimeout(timer)
    document.removeEventListener('click', onClick, true)
  }
  document.addEventListener('click', onClick, true)
  return callOff
}
