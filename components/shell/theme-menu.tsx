'use client'

import { MoonGlyph, SunGlyph, SystemGlyph } from '@/components/ui/glyphs'
import { Menu } from '@/components/ui/menu'
import { THEME_LABELS, THEMES } from '@/lib/view/shell/theme'
import { useShell } from './shell-state'

/** Light, dark or what the system says. */
export function ThemeMenu() {
  const { theme, chooseTheme } = useShell()
  return (
    <Menu
      label="Theme"
      trigger={theme === 'system' ? <SystemGlyph /> : theme === 'light' ? <SunGlyph /> : <MoonGlyph />}
      items={THEMES.map((option) => ({
        label: THEME_LABELS[option],
        checked: option === theme,
        onSelect: () => chooseTheme(option),
      }))}
    />
  )
}
