import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { AgentTree, AgentTreeRow } from '@/lib/view/session/agent-tree'
import { formatCount, formatQuantity, formatShort } from '@/lib/view/text/format'

/** What works for a session: its sub-agents as a tree, with what each is of the bill. None of it is in its window. */
export function AgentsCard({ tree }: { tree: AgentTree }) {
  const note = `${tree.agents === 0 ? 'Requests beside its own' : formatQuantity(tree.agents, 'sub-agent')}; billed to the session, and in no window of it`
  return (
    <Card title="Sub-agents" note={note} flush>
      <div className="overflow-x-auto">
        <table aria-label="Sub-agents" className="w-full text-table">
          <thead>
            <tr className="text-left text-label text-muted">
              <Head first>Session</Head>
              <Head>Model</Head>
              <Head numeric>Calls</Head>
              <Head numeric>Tokens</Head>
              <Head numeric>Price</Head>
              <Head numeric>Largest prompt</Head>
              <Head numeric>Of the bill</Head>
              <Head numeric>Updated</Head>
            </tr>
          </thead>
          <tbody>
            {tree.rows.map((row, i) => (
              <Row key={row.id ?? `within ${i}`} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function Row({ row }: { row: AgentTreeRow }) {
  return (
    <tr className="border-t border-line">
      <td className="max-w-96 min-w-40 py-1.5 pr-2 pl-4">
        <span className="isolate-text block truncate" style={{ paddingLeft: `${row.depth * 16}px` }}>
          {row.id === null || row.depth === 0 ? (
            row.title
          ) : (
            <PageLink href={`/sessions/${row.id}`} title={row.title} className="text-accent hover:underline">
              {row.title}
            </PageLink>
          )}
        </span>
      </td>
      <td className="isolate-text max-w-48 truncate px-2 text-muted">{row.model ?? ''}</td>
      <Figure>{formatCount(row.calls)}</Figure>
      <Figure>{formatShort(row.tokens)}</Figure>
      <Figure title={row.priceTitle}>{row.price}</Figure>
      <Figure>{row.largest === null ? '?' : formatCount(row.largest)}</Figure>
      <Figure>{row.share}</Figure>
      <Figure>
        <Moment at={row.updatedAt} missing="" className="text-muted" />
      </Figure>
    </tr>
  )
}

function Figure({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <td title={title} className="tnum px-2 text-right whitespace-nowrap last:pr-4">
      {children}
    </td>
  )
}

function Head({
  first = false,
  numeric = false,
  children,
}: {
  first?: boolean
  numeric?: boolean
  children: ReactNode
}) {
  const side = numeric ? 'text-right' : ''
  return (
    <th
      scope="col"
      className={`px-2 py-1 font-normal whitespace-nowrap last:pr-4 ${first ? 'pl-4' : ''} ${side}`}
    >
      {children}
    </th>
  )
}
