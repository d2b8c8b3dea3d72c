'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { helpQuery } from '@/components/help/help-query'
import { sessionPageQuery } from '@/components/session-list/session-list-query'
import { useSettled } from '@/components/ui/use-settled'
import { findHelp } from '@/lib/view/help/find-help'
import { DEFAULT_LIST_PARAMS, listQuery, searchFor } from '@/lib/view/session-list/session-list'
import { matchItems } from '@/lib/view/shell/palette'
import { earlyTyping, forgetEarlyTyping } from './early-typing'
import { usePaletteCommands } from './palette-commands'

const SESSIONS_SHOWN = 8
const HELP_SHOWN = 4
const PAUSE_MS = 150

const ITEM =
  'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-table data-[selected=true]:bg-accent-soft'

/** What is typed is searched for in screens and actions, and in the names and the content of all sessions. */
export function PaletteContent({ close }: { close: () => void }) {
  const router = useRouter()
  const [typed, setTyped] = useState(earlyTyping)
  const [chosen, setChosen] = useState('')
  const [said, setSaid] = useState<string | null>(null)
  // What was typed before this was there is now in its field.
  useEffect(forgetEarlyTyping, [])
  const asked = useSettled(typed.trim(), PAUSE_MS)
  const params = searchFor(DEFAULT_LIST_PARAMS, asked)
  const sessions = useQuery({ ...sessionPageQuery(params, 0), placeholderData: keepPreviousData })
  const all = usePaletteCommands({ close, say: setSaid })
  const commands = typed.trim() === '' ? all.filter(({ first }) => first) : matchItems(all, typed)
  const help = useQuery({ ...helpQuery(), enabled: asked !== '' })
  const terms = findHelp(help.data ?? [], typed, HELP_SHOWN)
  const rows = sessions.data?.rows.slice(0, SESSIONS_SHOWN) ?? []
  const total = sessions.data?.total ?? 0

  const offered = [
    ...commands.map(({ id }) => id),
    ...terms.map(({ id, label }) => helpKey(id, label)),
    ...rows.map(({ id }) => id),
    ...(total > rows.length ? ['all'] : []),
  ]
  const selected = offered.includes(chosen) ? chosen : (offered[0] ?? '')

  function go(href: string) {
    close()
    router.push(href)
  }

  return (
    <Command shouldFilter={false} loop label="Find" value={selected} onValueChange={setChosen}>
      <Command.Input
        autoFocus
        data-first-focus
        value={typed}
        onValueChange={setTyped}
        maxLength={200}
        placeholder="Sessions, screens, what was said …"
        className="h-10 w-full border-b border-line bg-transparent px-3 text-title outline-none placeholder:text-muted"
      />
      <p role="status" className={said === null ? 'sr-only' : 'px-3 pt-2 text-table'}>
        {said}
      </p>
      <Command.List className="mt-2 max-h-[60dvh] overflow-y-auto [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-label [&_[cmdk-group-heading]]:text-muted">
        <Command.Empty className="px-3 py-4 text-muted">
          {sessions.isFetching ? 'Looking …' : 'Nothing found.'}
        </Command.Empty>
        {commands.length > 0 && (
          <Command.Group heading="Screens and actions">
            {commands.map((command) => (
              <Command.Item key={command.id} value={command.id} onSelect={command.run} className={ITEM}>
                <span className="w-36 shrink-0 font-medium">{command.label}</span>
                <span className="truncate text-muted">{command.about}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {terms.length > 0 && (
          <Command.Group heading="Help">
            {terms.map(({ id, label, about }) => (
              <Command.Item
                key={helpKey(id, label)}
                value={helpKey(id, label)}
                onSelect={() => go(`/help#${id}`)}
                className={ITEM}
              >
                <span className="w-36 shrink-0 font-medium">{label}</span>
                <span className="truncate text-muted">{about}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {rows.length > 0 && (
          <Command.Group heading={asked === '' ? 'Latest sessions' : 'Sessions'}>
            {rows.map((row) => (
              <Command.Item
                key={row.id}
                value={row.id}
                onSelect={() => go(`/sessions/${row.id}`)}
                className={ITEM}
              >
                <span className="isolate-text min-w-0 flex-1 truncate">{row.title}</span>
                <span className="isolate-text max-w-40 truncate text-label text-muted">
                  {[row.agent, row.channel].filter(Boolean).join(' · ')}
                </span>
              </Command.Item>
            ))}
            {total > rows.length && (
              <Command.Item
                value="all"
                onSelect={() => go(`/sessions${listQuery(params)}`)}
                className={`${ITEM} text-accent`}
              >
                {`All ${total} in the list of sessions`}
              </Command.Item>
            )}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  )
}

/** A part and a term may have one address. */
function helpKey(id: string, label: string): string {
  return `help ${id} ${label}`
}
