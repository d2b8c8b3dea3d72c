/** The reader's choice of theme, kept in a cookie so that the server can render it and no script has to. */
export const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

export const THEME_LABELS: { readonly [T in Theme]: string } = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

export const THEME_COOKIE = 'plimsoll-theme'

/** Anything that is not a theme reads as `system`. */
export function parseTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system'
}
