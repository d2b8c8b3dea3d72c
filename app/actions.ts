'use server'

import { cookies } from 'next/headers'
import { parseTheme, THEME_COOKIE } from '@/lib/view/shell/theme'

const YEAR_SECONDS = 31_536_000

/** Remembers the reader's theme. Anything that is not a theme is kept as `system`. */
export async function rememberTheme(theme: string): Promise<void> {
  const jar = await cookies()
  jar.set(THEME_COOKIE, parseTheme(theme), {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'strict',
    httpOnly: true,
  })
}
