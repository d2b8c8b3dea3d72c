import { ChartFrame } from '@/components/charts/chart-frame'
import { Picture } from '@/components/charts/picture'
import { PageLink } from '@/components/ui/page-link'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import { type ToolRow, toolsCsv } from '@/lib/view/overview/tool-rows'
import { formatCount, formatPercent, formatShort } from '@/lib/view/text/format'

const BARS = 8
const ROW = 44

/** The tools whose arguments and results filled most of the prompts of the period. */
export function ToolsCard({ tools, from, to }: { tools: readonly ToolRow[]; from: string; to: string }) {
  return (
    <ChartFrame
      title="Heaviest tools"
      note={`Sessions that changed from ${from} to ${to} · arguments and results in all prompts, each call counted, estimated ± 25 %`}
      name={`plimsoll-tools-${from}-${to}`}
      csv={() => toolsCsv(tools)}
      table={<ToolsTable tools={tools} />}
    >
      {tools.length === 0 ? (
        <p className="text-muted">No tool was called in this period.</p>
      ) : (
        <ToolsChart tools={tools} />
      )}
    </ChartFrame>
  )
}

function ToolsChart({ tools }: { tools: readonly ToolRow[] }) {
  const rows = tools.slice(0, BARS)
  const longest = Math.max(1, ...rows.map(({ sentTokens }) => sentTokens))
  return (
    <>
      <Picture
        label="Tokens that were sent of each tool; the same numbers are in the table"
        text="text-table"
        width="100%"
        height={rows.length * ROW}
      >
        {rows.map(({ tool, calls, largest, sentTokens, share }, index) => (
          <svg key={tool} y={index * ROW} width="100%" height={ROW}>
            <title>{`${tool}: ≈ ${formatShort(sentTokens)} tokens sent; largest result ≈ ${formatShort(largest)}`}</title>
            <svg width="44%" height="20" aria-hidden="true">
              <text y="15" className="fill-text">
                {tool}
              </text>
            </svg>
            <text x="80%" y="15" textAnchor="end" className="tnum fill-muted">
              {`${formatCount(calls)} calls, largest ${formatShort(largest)} ≈`}
            </text>
            <text x="100%" y="15" textAnchor="end" className="tnum fill-text font-medium">
              {`${formatShort(sentTokens)} ≈${share === null ? '' : ` · ${formatPercent(share)}`}`}
            </text>
            <rect y="24" width="100%" height="8" rx="2" className="fill-inset" />
            <rect y="24" width={`${(sentTokens / longest) * 100}%`} height="8" rx="2" className="fill-fill" />
          </svg>
        ))}
      </Picture>
      <p className="mt-1 flex flex-wrap gap-x-3 text-label text-muted">
        <span>Sessions that called</span>
        {rows.map(({ tool, href }) =>
          href === null ? null : (
            <PageLink key={tool} href={href} className="isolate-text text-accent hover:underline">
              {tool}
            </PageLink>
          ),
        )}
      </p>
      {tools.length > BARS && (
        <p className="mt-1 text-label text-muted">{`top ${BARS}; the table has ${tools.length}`}</p>
      )}
    </>
  )
}

function ToolsTable({ tools }: { tools: readonly ToolRow[] }) {
  return (
    <Table caption="Heaviest tools; tokens are estimated">
      <Heads
        text={['Tool']}
        numbers={['Sessions', 'Calls', 'Failed', 'Results ≈', 'Largest ≈', 'Sent ≈', 'Of all sent']}
      />
      <tbody>
        {tools.map((row) => (
          <Tr key={row.tool}>
            <Th scope="row" className="isolate-text">
              {row.href === null ? (
                row.tool
              ) : (
                <PageLink href={row.href} className="text-accent underline underline-offset-2">
                  {row.tool}
                </PageLink>
              )}
            </Th>
            <Td numeric>{formatCount(row.sessions)}</Td>
            <Td numeric>{formatCount(row.calls)}</Td>
            <Td numeric>{formatCount(row.failed)}</Td>
            <Td numeric>{formatShort(row.resultTokens)}</Td>
            <Td numeric>{formatShort(row.largest)}</Td>
            <Td numeric>{formatShort(row.sentTokens)}</Td>
            <Td numeric>{row.share === null ? '–' : formatPercent(row.share)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
