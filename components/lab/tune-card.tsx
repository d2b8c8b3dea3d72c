import { Badge } from '@/components/ui/badge'
import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { ASSUMPTION } from '@/lib/view/lab/result-words'
import type { TunePick, TuneView } from '@/lib/view/lab/tune-view'
import { formatQuantity } from '@/lib/view/text/format'
import { ApplyPick } from './apply-pick'

/** What the tuner found: whether it gains anything, and its picks, each with the way to apply it. */
export function TuneCard({ tune }: { tune: TuneView }) {
  return (
    <Card title="What the search found" note={`Measured on sessions that it never saw, ${ASSUMPTION}`}>
      <div className="flex flex-col gap-3">
        <p className="max-w-[90ch]">
          <Badge tone={tune.isGain ? 'ok' : 'neutral'}>{tune.isGain ? 'gain' : 'no significant gain'}</Badge>{' '}
          {tune.verdict}
        </p>
        <p className="max-w-[90ch] text-table text-muted">{tune.split}</p>
        <ul aria-label="Picks" className="grid gap-3 lg:grid-cols-3">
          {tune.picks.map((pick) => (
            <Pick key={pick.name} pick={pick} tune={tune} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

function Pick({ pick, tune }: { pick: TunePick; tune: TuneView }) {
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-md border border-line p-3 text-table">
      <h3 className="font-medium">{pick.label}</h3>
      <p className="text-label text-muted">{pick.about}</p>
      <dl className="tnum grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        <dt className="text-muted">Saving</dt>
        <dd>{pick.saving}</dd>
        <dt className="text-muted">Long-range recall</dt>
        <dd>{pick.longRecall}</dd>
        <dt className="text-muted">Lost</dt>
        <dd>{pick.lost}</dd>
        <dt className="text-muted">Against now</dt>
        <dd>{pick.verdict}</dd>
      </dl>
      {pick.values.length > 0 && (
        <details>
          <summary className="cursor-pointer">{formatQuantity(pick.values.length, 'value')}</summary>
          <dl className="mt-1 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 text-label">
            {pick.values.map(({ path, label, value }) => (
              <div key={path} className="contents">
                <dt className="isolate-text break-words" title={path}>
                  {label}
                </dt>
                <dd className="tnum text-right">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {pick.settings.map(({ runtime, lines }) => (
        <details key={runtime}>
          <summary className="cursor-pointer">{`In the settings of ${runtime}`}</summary>
          <pre className="isolate-text mt-1 overflow-x-auto text-label">{lines.join('\n')}</pre>
        </details>
      ))}
      {pick.remedy !== null && <ApplyPick remedy={pick.remedy} label={pick.label} tune={tune} />}
      {pick.draft !== null && (
        <PageLink href={pick.draft} className={buttonClasses('plain')}>
          Open as a draft on Policies
        </PageLink>
      )}
    </li>
  )
}
