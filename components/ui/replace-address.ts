/**
 * The address of the page. The page answers to its first events a moment before the router follows what becomes of the
 * address: until then the last one that was asked for waits, or the page would go on showing what belongs to the one
 * before.
 */
export class PageAddress {
  private waiting: string | null = null
  private isFollowed = false

  replace(url: string): void {
    if (this.isFollowed) window.history.replaceState(null, '', url)
    else this.waiting = url
  }

  /** From now on the router follows the address. What waits is left where another page is shown by now. */
  follow(): void {
    const url = this.waiting
    this.waiting = null
    this.isFollowed = true
    if (url === null) return
    const { href, pathname } = window.location
    if (new URL(url, href).pathname === pathname) this.replace(url)
  }
}

const shown = new PageAddress()

/** Puts another address of the page that is shown in the place of its own, without a load. */
export function replaceAddress(url: string): void {
  shown.replace(url)
}

/** The router follows the address. */
export function followAddress(): void {
  shown.follow()
}
