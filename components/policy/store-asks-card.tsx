import { CopyButton } from '@/components/entry/copy-button'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import type { StoreAsksShown, StoreAsksView } from '@/lib/view/policy/store-asks'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/**
 * What the files of stores ask for and the operator decides: models, addresses and folders. The page allows nothing; it
 * shows the lines for the settings file.
 */
export function StoreAsksCard({ stores, settingsFile }: StoreAsksShown) {
  if (stores.length === 0) return null
  const open = stores.reduce((sum, { asks }) => sum + asks.filter(({ allowed }) => !allowed).length, 0)
  const [title, note] =
    open === 0
      ? ['Stores and what they ask for', 'your settings allow all of it']
      : [
          'A store asks for what you decide',
          `${formatCount(open)} not used: a store is data of others, and decides no model, address or folder`,
        ]
  return (
    <Card title={title} note={note}>
      <ul className="flex flex-col gap-4" data-testid="store-asks">
        {stores.map((store) => (
          <li key={store.path} className="flex min-w-0 flex-col gap-2">
            <StoreAsks store={store} settingsFile={settingsFile} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StoreAsks({ store, settingsFile }: { store: StoreAsksView; settingsFile: string }) {
  const { asks, lines } = store
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {asks.map(({ text, where, allowed }) => (
          <li key={`${where} ${text}`} className="flex flex-wrap items-baseline gap-x-2 text-table">
            <Badge tone={allowed ? 'ok' : 'attention'}>{allowed ? 'allowed' : 'not used'}</Badge>
            <span className="isolate-text min-w-0 break-words">{`${visibleLine(text)}.`}</span>
            <code className="isolate-text min-w-0 text-label break-all text-muted">{visibleLine(where)}</code>
          </li>
        ))}
      </ul>
      {lines !== '' && (
        <details>
          <summary className="cursor-pointer text-table font-medium">Lines that allow it</summary>
          <div className="mt-1 flex flex-col gap-1">
            <div className="flex flex-wrap items-center gap-2 text-label text-muted">
              <span className="isolate-text min-w-56 flex-1 break-words">
                {'To allow exactly this, and nothing else, add it to '}
                <code className="break-all">{visibleLine(settingsFile)}</code>
                {
                  '. Where that file has stores already, add the entry to their list. Leave out what you do not want.'
                }
              </span>
              <CopyButton label="Copy the lines" text={() => Promise.resolve(lines)} />
            </div>
            <pre
              data-testid="allow-lines"
              className="isolate-text rounded-md border border-line bg-inset p-2 text-label break-words whitespace-pre-wrap"
            >
              {lines.trimEnd().split('\n').map(visibleLine).join('\n')}
            </pre>
          </div>
        </details>
      )}
    </>
  )
}
