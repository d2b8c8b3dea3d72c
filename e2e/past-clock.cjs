// A clock that was set back, for commands whose receipts are to be some days old: node --require past-clock.cjs
const DAYS = Number(process.env.PAST_DAYS)
const RealDate = Date
const now = () => RealDate.now() - DAYS * 86_400_000

globalThis.Date = class extends RealDate {
  constructor(...of) {
    if (of.length === 0) super(now())
    else super(...of)
  }

  static now() {
    return now()
  }
}
