import { describe, expect, it } from 'vitest'
import { hopPage, signInPage, signInPolicy } from './sign-in-page'

const HOSTILE = `/"><script>alert(1)</script>' onfocus=x <!--&amp;`
const base = { theme: 'system', nonce: 'bm9uY2U=' } as const

describe('the page that asks for the token', () => {
  it('shows an address and a problem as text, whatever is in them', () => {
    const pages = [
      signInPage({ ...base, problem: HOSTILE, next: HOSTILE, ownToken: false }),
      hopPage({ ...base, to: HOSTILE }),
    ]
    for (const page of pages) {
      expect(page).not.toContain('<script')
      expect(page).not.toContain("' onfocus")
      expect(page).toContain('&lt;script&gt;')
      expect(page).toContain('&amp;amp;')
    }
  })

  it('may run nothing, load nothing and send its form to us alone', () => {
    const policy = signInPolicy('bm9uY2U=')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).not.toContain('script-src')
  })

  it('says which token is meant, and keeps the chosen theme', () => {
    const page = (ownToken: boolean) =>
      signInPage({ ...base, theme: 'dark', problem: null, next: '/', ownToken })
    expect(page(true)).toContain('PLIMSOLL_TOKEN')
    expect(page(false)).toContain('of the state folder')
    expect(page(false)).toContain('<html lang="en" data-theme="dark">')
    expect(page(false)).not.toContain('role="alert"')
  })
})
