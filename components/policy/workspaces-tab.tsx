'use client'

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { EstimateMark } from '@/components/ui/figure'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Moment } from '@/components/ui/time'
import type { CacheView, WorkspaceFileView, WorkspaceView } from '@/lib/view/policy/workspaces'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** How often the caches are examined, which asks nothing of them. */
const REFRESH_MS = 2000

function workspacesQuery(window: number) {
  return queryOptions({
    queryKey: ['policy-workspaces', window] as const,
    queryFn: ({ signal }) => readWorkspaces(window, false, signal),
    refetchInterval: REFRESH_MS,
  })
}

function readWorkspaces(window: number, ask: boolean, signal?: AbortSignal) {
  return fetchJson<readonly WorkspaceView[]>(
    `/api/policies/workspaces?window=${window}${ask ? '&ask=1' : ''}`,
    signal,
  )
}

/**
 * What the saved policy makes of the workspace files that agents get with every prompt, and the state of their caches.
 */
export function WorkspacesTab({ window }: { window: number }) {
  const query = useQuery(workspacesQuery(window))
  const client = useQueryClient()
  const ask = useMutation({
    mutationFn: () => readWorkspaces(window, true),
    onSuccess: (workspaces) => client.setQueryData(workspacesQuery(window).queryKey, workspaces),
  })
  if (query.isError)
    return <ErrorState title="The workspaces could not be read" detail={query.error.message} />
  if (query.data === undefined) {
    return (
      <Card title="Workspaces">
        <LoadingNote what="the workspaces" />
        <Skeleton className="h-40 w-full" />
      </Card>
    )
  }
  if (query.data.length === 0) {
    return (
      <Card>
        <EmptyState title="No workspace is known">
          <p>
            Name the folders of your agents under <code>workspaces:</code> in the settings file. A folder that
            a store’s openclaw.json names is found by itself.
          </p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-3">
        <Button onClick={() => ask.mutate()} disabled={ask.isPending}>
          Ask as an agent does
        </Button>
        <p className="text-label text-muted">
          What the saved policy puts into every prompt of a window of {formatCount(window)} tokens.
        </p>
      </div>
      {ask.isError && <ErrorState title="The workspaces could not be read" detail={ask.error.message} />}
      {query.data.map((workspace) => (
        <WorkspaceCard key={workspace.folder} workspace={workspace} />
      ))}
    </div>
  )
}

/** On narrow screens what is sent counts more than what is in the file. */
const WIDE = 'max-sm:hidden'

const STATE_TONES = {
  whole: 'ok',
  cut: 'attention',
  'left out': 'attention',
  missing: 'neutral',
  unreadable: 'danger',
} as const satisfies { [S in WorkspaceFileView['state']]: string }

function WorkspaceCard({ workspace }: { workspace: WorkspaceView }) {
  const { folder, from, files, chars, caps, tokens, warnings, cache } = workspace
  return (
    <Card
      flush
      title={<code className="isolate-text break-all">{folder}</code>}
      note={`Named by ${from}`}
      aside={<CacheBadge cache={cache} />}
    >
      <Table caption={`Workspace files of ${folder}`}>
        <thead>
          <tr>
            <Th>File</Th>
            <Th numeric className={WIDE}>
              Characters
            </Th>
            <Th numeric>In the prompt</Th>
            <Th numeric>Tokens</Th>
            <Th>State</Th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <Tr key={file.name}>
              <Th scope="row">
                <code>{file.name}</code>
              </Th>
              <Td numeric className={WIDE}>
                {file.state === 'missing' ? '–' : formatCount(file.rawChars)}
              </Td>
              <Td numeric>{formatCount(file.injectedChars)}</Td>
              <Td numeric>
                {formatCount(file.tokens)}
                <EstimateMark errorPct={null} />
              </Td>
              <Td>
                <Badge tone={STATE_TONES[file.state]}>{file.state}</Badge>
              </Td>
            </Tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line font-medium">
            <Th scope="row">Together</Th>
            <Td className={WIDE} />
            <Td numeric>{formatCount(chars)}</Td>
            <Td numeric>
              {formatCount(tokens)}
              <EstimateMark errorPct={null} />
            </Td>
            <Td />
          </tr>
        </tfoot>
      </Table>
      <p className="px-4 pt-2 text-label text-muted">
        {`Room for ${formatQuantity(caps.total, 'character')}: ${caps.tokens === null ? 'the cap of the policy' : `the bootstrap region of ${formatCount(caps.tokens)} tokens, 4 characters each`}.`}
      </p>
      {warnings.length > 0 && (
        <ul className="px-4 py-2 text-table text-attention">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {cache.stale && (
        <p className="px-4 pt-2 text-table">
          A file has changed since: this is what the last request got. The next one reads anew.
        </p>
      )}
      <CacheFacts cache={cache} />
    </Card>
  )
}

function CacheBadge({ cache }: { cache: CacheView }) {
  if (cache.stale) return <Badge tone="attention">stale</Badge>
  return cache.cached ? <Badge tone="ok">cached</Badge> : <Badge>not cached</Badge>
}

const MODES: { readonly [M in CacheView['mode']]: string } = {
  off: 'switched off: every request reads anew',
  idle: 'not asked for yet',
  watched: 'changes are seen by the watcher',
  polled: 'changes are seen by the poll alone',
  uncached: 'neither watcher nor poll: every request reads anew',
}

function CacheFacts({ cache }: { cache: CacheView }) {
  return (
    <p className="px-4 py-2 text-label text-muted">
      {`Prompt cache of this dashboard: ${MODES[cache.mode]} · ${formatQuantity(cache.hits, 'hit')}, ${formatQuantity(cache.misses, 'reading')}, ${formatQuantity(cache.invalidations, 'invalidation')} · poll ${cache.pollSeconds === 0 ? 'off' : `every ${cache.pollSeconds} s`} · read `}
      <Moment at={cache.loadedAt} missing="never" />
      {cache.last !== null && (
        <>
          {` · last change by ${cache.last.by}: ${cache.last.what} `}
          <Moment at={cache.last.at} />
        </>
      )}
      {cache.watchProblem !== null && ` · watcher: ${cache.watchProblem}`}
    </p>
  )
}
