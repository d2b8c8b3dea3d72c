import type { Metadata } from 'next'
import { HelpCompaction } from '@/components/help/help-compaction'
import { HelpDuties } from '@/components/help/help-duties'
import { HelpFindings } from '@/components/help/help-findings'
import { HelpKnobs } from '@/components/help/help-knobs'
import { HelpLab } from '@/components/help/help-lab'
import { HelpLines } from '@/components/help/help-lines'
import { HelpMemory } from '@/components/help/help-memory'
import { HelpPeers } from '@/components/help/help-peers'
import { HelpPruning } from '@/components/help/help-pruning'
import { HelpRelevance } from '@/components/help/help-relevance'
import { HelpSafety } from '@/components/help/help-safety'
import { HelpSearch } from '@/components/help/help-search'
import { HelpSection } from '@/components/help/help-section'
import { HelpWords } from '@/components/help/help-words'
import { NamedPart } from '@/components/help/named-part'
import { CategoryLegend } from '@/components/ui/category-legend'
import { Later } from '@/components/ui/later'
import { MarksLegend } from '@/components/ui/marks-legend'
import { ShortcutList } from '@/components/ui/shortcut-list'
import { CATEGORY_ORDER } from '@/lib/view/charts/category'
import { HELP_INDEX, HELP_SECTIONS } from '@/lib/view/help/help-index'
import { STATE_LABELS } from '@/lib/view/session-list/session-list'

export const metadata: Metadata = { title: 'Help' }

export default function HelpPage() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_14rem]">
      <nav
        aria-label="On this page"
        className="rounded-card border border-line bg-surface p-3 lg:sticky lg:top-[calc(var(--bar-height)+16px)] lg:order-last"
      >
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-table lg:flex-col">
          {HELP_SECTIONS.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className="text-accent hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-col gap-6">
        <HelpSearch entries={HELP_INDEX} />
        <HelpSection id="words" title="Words">
          <HelpWords />
        </HelpSection>
        <Later>
          <NamedPart />
          <HelpSection id="figures" title="What is behind a number">
            <MarksLegend />
            <p>
              Three things are never mixed in one bar: what is in the window now, what went through it over
              the life of a session, and what it could hold. Sums over several calls are called sums, and say
              what they are made of.
            </p>
          </HelpSection>
          <HelpSection id="totals" title="How totals are anchored">
            <p>
              The size of a prompt is what the provider reported for that call: input, cache read and cache
              write together. Output is not part of it; it comes back with the next prompt. Providers that
              report only zeros have reported nothing.
            </p>
            <p>
              What is in the window now is the last reported prompt, the answer to it, and an estimate of what
              came since. A compaction or a reset ends what an older report can tell. A call that was aborted,
              or is recorded twice, counts once at most.
            </p>
          </HelpSection>
          <HelpSection id="beside-ccusage" title="Beside ccusage">
            <HelpPeers />
          </HelpSection>
          <HelpSection id="estimates" title="How estimates are made">
            <p>
              Each entry is sized from its text by an estimator that knows prose from code, tables,
              identifiers and scripts of other languages. From the growth between successive reported prompts
              of your own sessions it learns how many tokens the model in use makes of that, of a tool result,
              of an image. The mark ≈ carries the error to expect, from how far off such estimates were
              before.
            </p>
            <p>
              A reported total is split over the categories by these estimates. The system prompt, tool
              schemas, skills and bootstrap files are taken from the runtime&apos;s own report where it wrote
              one. What remains is the residual.
            </p>
          </HelpSection>
          <HelpSection id="categories" title="Categories">
            <p>
              The same order, colour and pattern everywhere. What is fixed lies at the bottom, what grows on
              top.
            </p>
            <CategoryLegend items={CATEGORY_ORDER.map(({ category }) => ({ category }))} />
          </HelpSection>
          <HelpSection id="load-lines" title="Load lines and denominators">
            <HelpLines />
          </HelpSection>
          <HelpSection id="knobs" title="Values of a policy">
            <HelpKnobs />
          </HelpSection>
          <HelpSection id="compactions" title="Compactions and digests">
            <HelpCompaction />
          </HelpSection>
          <HelpSection id="pruning" title="Pruning">
            <HelpPruning />
          </HelpSection>
          <HelpSection id="cold-storage" title="Dropping, cold storage and tuning">
            <HelpRelevance />
          </HelpSection>
          <HelpSection id="memory" title="Memory: tasks, facts, recall">
            <HelpMemory />
          </HelpSection>
          <HelpSection id="findings" title="Findings">
            <HelpFindings />
          </HelpSection>
          <HelpSection id="lab" title="Lab: policies replayed">
            <HelpLab />
          </HelpSection>
          <HelpSection id="forecast" title="Calls to the line">
            <p>
              “~9 calls to compact” divides what is left up to the next marked line by the mean growth per
              call since the last compaction, over the last 32 calls at most. Nothing is said when fewer than
              four calls are known, when nothing grows, or when the answer would be beyond a thousand calls.
            </p>
          </HelpSection>
          <HelpSection id="cost" title="Cost">
            <p>
              Cost is what the transcript itself records for a call. A call without a recorded cost is
              unknown: it is left out of the sum, and the sum then reads “$3.18 + ?”. Calls that failed before
              the model answered are taken as not billed. Cache hit is the share of cache reads in what was
              sent.
            </p>
            <p>Days are days in UTC. A session that runs past midnight counts on both days.</p>
          </HelpSection>
          <HelpSection id="live" title="Live and stale">
            <p>
              While a page is open, it follows the database: a line appended to a transcript shows within a
              second. “live” names the last word from the server; “stale” means that there has been none for a
              while, and that figures may be old. A page in the background rests, and catches up when you come
              back.
            </p>
          </HelpSection>
          <HelpSection id="stores" title="Stores, and what could not be read">
            <p>
              A line that is no entry is kept with its number and the reason, and everything else in the file
              is read. An entry of a type that we do not know is kept and counted; it is not taken for
              context. A line that is still being written waits for its end.
            </p>
            <p>
              A transcript without a header, with a last line that is not finished, without any readable line
              or without any content says so at its head and on the Stores page, and in what{' '}
              <code>sessions</code>, <code>status</code>, <code>context</code> and <code>doctor</code> print.
              What such a file does not tell is unknown, not zero. A store marked <em>in part</em> is read,
              but for what its note names.
            </p>
            <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-6 gap-y-1 text-table">
              {Object.entries(STATE_LABELS).map(([state, { label, about }]) => (
                <div key={state} className="contents">
                  <dt className="font-medium">{label}</dt>
                  <dd>{about}</dd>
                </div>
              ))}
            </dl>
          </HelpSection>
          <HelpSection id="safety" title="Writes: repair, undo, maintenance">
            <HelpSafety />
          </HelpSection>
          <HelpSection id="library" title="In your own agent">
            <HelpDuties />
          </HelpSection>
          <HelpSection id="keyboard" title="Keyboard">
            <ShortcutList />
          </HelpSection>
        </Later>
      </div>
    </div>
  )
}
