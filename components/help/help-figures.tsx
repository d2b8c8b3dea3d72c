import { CategoryLegend } from '@/components/charts/category-legend'
import { MarksLegend } from '@/components/charts/marks-legend'
import { CATEGORY_ORDER } from '@/lib/view/charts/category'

/** The marks behind figures, and what is never mixed. */
export function HelpFigures() {
  return (
    <>
      <MarksLegend />
      <p>
        Three things are never mixed in one bar: what is in the window now, what went through it over the life
        of a session, and what it could hold. Sums over several calls are called sums, and say what they are
        made of.
      </p>
    </>
  )
}

/** Where the size of a prompt comes from. */
export function HelpTotals() {
  return (
    <>
      <p>
        The size of a prompt is what the provider reported for that call: input, cache read and cache write
        together. Output is not part of it; it comes back with the next prompt. Providers that report only
        zeros have reported nothing.
      </p>
      <p>
        What is in the window now is the last reported prompt, the answer to it, and an estimate of what came
        since. A compaction or a reset ends what an older report can tell. A call that was aborted, or is
        recorded twice, counts once at most.
      </p>
      <p>
        The request that asks for the summary of a compaction is mostly not among the calls: Claude Code
        records the summary alone, and Codex only the usage where OpenAI makes the summary. What such a
        request held is what was in the window at that place, and a text of the client that is written
        nowhere. A summary that Codex has the session&apos;s model write is a call like any other; the text
        that asked for it is part of that call&apos;s residual.
      </p>
    </>
  )
}

/** How what no provider reported is sized. */
export function HelpEstimates() {
  return (
    <>
      <p>
        Each entry is sized from its text by an estimator that knows prose from code, tables, identifiers and
        scripts of other languages. From the growth between successive reported prompts of your own sessions
        it learns how many tokens the model in use makes of that, of a tool result, of an image. The mark ≈
        carries the error to expect, from how far off such estimates were before.
      </p>
      <p>
        A reported total is split over the categories by these estimates. The system prompt, tool schemas,
        skills and bootstrap files are taken from the runtime&apos;s own report where it wrote one. What
        remains is the residual.
      </p>
    </>
  )
}

/** The categories in their order. */
export function HelpCategories() {
  return (
    <>
      <p>
        The same order, colour and pattern everywhere. What is fixed lies at the bottom, what grows on top.
      </p>
      <CategoryLegend items={CATEGORY_ORDER.map(({ category }) => ({ category }))} />
    </>
  )
}
