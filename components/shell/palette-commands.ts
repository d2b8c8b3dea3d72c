'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { answerWords } from '@/lib/view/actions/action-answer'
import { SCREENS } from '@/lib/view/shell/navigation'
import type { PaletteItem } from '@/lib/view/shell/palette'
import { THEME_LABELS, THEMES } from '@/lib/view/shell/theme'
import { useShell } from './shell-state'

export type PaletteCommand = PaletteItem & {
  /** Offered before anything is typed. */
  readonly first: boolean
  readonly run: () => void
}

/** Screens to go to and things to do, beside the sessions. `say` prints what came of an action. */
export function usePaletteCommands({
  close,
  say,
}: {
  close: () => void
  say: (message: string) => void
}): readonly PaletteCommand[] {
  const router = useRouter()
  const shell = useShell()
  const client = useQueryClient()

  async function rescan() {
    say('Reading …')
    say(answerWords(await shell.rescan()))
    await client.invalidateQueries()
  }

  return [
    ...SCREENS.map((screen) => ({
      id: `screen ${screen.href}`,
      label: screen.label,
      about: screen.about,
      first: true,
      run: () => {
        close()
        router.push(screen.href)
      },
    })),
    {
      id: 'rescan',
      label: 'Read stores again',
      about: 'Look for stores and read what is new, now',
      first: false,
      run: () => void rescan(),
    },
    {
      id: 'shortcuts',
      label: 'Keys and marks',
      about: 'Every key, and what is behind a number',
      first: false,
      run: () => shell.show('shortcuts'),
    },
    ...THEMES.map((theme) => ({
      id: `theme ${theme}`,
      label: `${THEME_LABELS[theme]} theme`,
      about: 'Appearance',
      first: false,
      run: () => {
        shell.chooseTheme(theme)
        close()
      },
    })),
  ]
}
