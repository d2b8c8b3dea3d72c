import { HostileText } from '@/components/entry/hostile-text'
import { PageLink } from '@/components/ui/page-link'
import type { RemedyItem } from '@/lib/view/findings/remedy-item'

/** What can be done about a finding. What another page does leads there. */
export function RemedyList({ remedies }: { remedies: readonly RemedyItem[] }) {
  if (remedies.length === 0) return null
  return (
    <ul aria-label="What to do" className="flex flex-col gap-1 text-table">
      {remedies.map(({ words, code, href }) => (
        <li key={`${words} ${code}`} className="max-w-[90ch]">
          {href === null ? (
            <HostileText text={words} />
          ) : (
            <PageLink href={href} className="text-accent hover:underline">
              {words}
            </PageLink>
          )}
          {code !== null && (
            <code className="isolate-text ml-2 text-label break-words">
              <HostileText text={code} />
            </code>
          )}
        </li>
      ))}
    </ul>
  )
}
