'use client'

import { useState } from 'react'
import { MoonGlyph, SunGlyph, SystemGlyph } from '@/components/ui/glyphs'
import { Menu } from '@/components/ui/menu'
import { THEMES, type Theme } from '@/lib/view/theme'

const LABELS: { readonly [T in Theme]: string } = { system: 'System', light: 'Light', dark: 'Dark' }

export type RememberTheme = (theme: Theme) => Promise<void>

/** Light, dark or what the system says: applied at once, and remembered for the next page the server renders. */
export function ThemeMenu({ initial, remember }: { initial: Theme; remember: RememberTheme }) {
  const [theme, setTheme] = useState(initial)
  return (
    <Menu
      label="Theme"
      trigger={theme === 'system' ? <SystemGlyph /> : theme === 'light' ? <SunGlyph /> : <MoonGlyph />}
      items={THEMES.map((option) => ({
        label: LABELS[option],
        checked: option === theme,
        onSelect: () => {
          setTheme(option)
          showTheme(option)
          void remember(option)
        },
      }))}
    />
  )
}

function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
