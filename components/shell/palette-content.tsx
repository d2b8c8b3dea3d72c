'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useDeferredValue, useState } from 'react'
import { sessionPageQuery } from '@/components/sessions/session-list-query'
import { SCREENS } from '@/lib/view/navigation'
import { matchItems } from '@/lib/view/palette'
import { DEFAULT_LIST_PARAMS, listQuery, searchFor } from '@/lib/view/session-list'

const SESSIONS_SHOWN = 8

const ITEM =
  'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-table data-[selected=true]:bg-accent-soft'

/** What is typed is looked for in screens and actions, and in the names and the content of all sessions. */
export function PaletteContent({ close }: { close: () => void }) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed.trim())
  const params = searchFor(DEFAULT_LIST_PARAMS, asked)
  const sessions = useQuery({ ...sessionPageQuery(params, 0), placeholderData: keepPreviousData })
  const screens = matchItems(
    SCREENS.map((screen) => ({ ...screen, id: screen.href })),
    typed,
  )

  function go(href: string) {
    close()
    router.push(href)
  }

  return (
    <Command shouldFilter={false} loop label="Find">
      <Command.Input
        autoFocus
        value={typed}
        onValueChange={setTyped}
        maxLength={200}
        placeholder="Sessions, screens, what was said …"
        className="h-10 w-full rounded-md border border-line-strong bg-surface px-3 text-body placeholder:text-muted"
      />
      <Command.List className="mt-2 max-h-[60dvh] overflow-y-auto">
        <Command.Empty className="px-3 py-4 text-muted">
          {sessions.isFetching ? 'Looking …' : 'Nothing found.'}
        </Command.Empty>
        {screens.length > 0 && (
          <Command.Group heading="Screens">
            {screens.map((screen) => (
              <Command.Item
                key={screen.id}
                value={`screen ${screen.id}`}
                onSelect={() => go(screen.href)}
                className={ITEM}
              >
                <span className="w-24 font-medium">{screen.label}</span>
                <span className="truncate text-muted">{screen.about}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {sessions.data && sessions.data.rows.length > 0 && (
          <Command.Group heading={asked === '' ? 'Latest sessions' : 'Sessions'}>
            {sessions.data.rows.slice(0, SESSIONS_SHOWN).map((row) => (
              <Command.Item
                key={row.id}
                value={`session ${row.id}`}
                onSelect={() => go(`/sessions/${row.id}`)}
                className={ITEM}
              >
                <span className="isolate-text min-w-0 flex-1 truncate">{row.title}</span>
                <span className="isolate-text max-w-40 truncate text-label text-muted">
                  {[row.agent, row.channel].filter(Boolean).join(' · ')}
                </span>
              </Command.Item>
            ))}
            {sessions.data.total > SESSIONS_SHOWN && (
              <Command.Item
                value="all sessions"
                onSelect={() => go(`/sessions${listQuery(params)}`)}
                className={`${ITEM} text-accent`}
              >
                {`All ${sessions.data.total} in the list of sessions`}
              </Command.Item>
            )}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  )
}
