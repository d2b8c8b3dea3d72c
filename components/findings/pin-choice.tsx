import { HostileText } from '@/components/entry/hostile-text'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { RemedyOffer } from '@/lib/view/findings/remedy-answers'
import { formatCount } from '@/lib/view/text/format'

type Pins = Extract<RemedyOffer, { kind: 'pin' }>

/** The rules that can be pinned, each as the line that would be written; of the chosen one what the file would be. */
export function PinChoice({
  offer: { file, rules, left, reach, source },
  chosen,
  onChoose,
}: {
  offer: Pins
  /** `seen` of a rule; null: none is chosen yet. */
  chosen: string | null
  onChoose: (seen: string) => void
}) {
  const shown = rules.find(({ seen }) => seen === chosen)
  return (
    <>
      <p className="isolate-text max-w-[90ch] text-table break-words">
        <HostileText text={source} />
      </p>
      <fieldset className="flex max-w-[90ch] flex-col gap-2 text-table">
        <legend className="mb-1 font-medium">Which line is to be written</legend>
        {rules.map(({ line, said, seen }) => (
          <label key={seen} className="flex items-baseline gap-2">
            <input
              type="radio"
              name="pin"
              checked={seen === chosen}
              onChange={() => onChoose(seen)}
              className="shrink-0"
            />
            <span className="min-w-0">
              <code className="isolate-text break-words whitespace-pre-wrap">
                <HostileText text={line} />
              </code>
              <span className="ml-2 text-label text-muted">
                <PageLink href={said.href} className="text-accent hover:underline">
                  {`line ${formatCount(said.line)}`}
                </PageLink>
                {said.at !== null && (
                  <>
                    {', '}
                    <Moment at={said.at} />
                  </>
                )}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="flex max-w-[90ch] flex-col gap-1 text-table text-muted">
        <p className="isolate-text break-all">
          <HostileText text={`Into ${file}.`} />
        </p>
        <p>{reach}</p>
        {left.map((why) => (
          <p key={why}>{why}</p>
        ))}
      </div>
      {shown !== undefined && (
        <pre className="isolate-text rounded-md border border-line bg-inset p-3 text-label break-words whitespace-pre-wrap">
          <HostileText text={shown.diff.join('\n')} />
        </pre>
      )}
    </>
  )
}
