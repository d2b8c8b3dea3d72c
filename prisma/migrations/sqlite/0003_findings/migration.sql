-- CreateTable
CREATE TABLE "SessionSigns" (
    "sessionRow" INTEGER NOT NULL PRIMARY KEY,
    "signsJson" TEXT NOT NULL,
    CONSTRAINT "SessionSigns_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Finding" (
    "sessionRow" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "severity" INTEGER NOT NULL,
    "usd" REAL,
    "tokens" REAL,
    "firstSeen" DATETIME,
    "lastSeen" DATETIME,
    "foundAt" DATETIME NOT NULL,
    "goneAt" DATETIME,
    "findingJson" TEXT NOT NULL,

    PRIMARY KEY ("sessionRow", "id"),
    CONSTRAINT "Finding_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Finding_cause_idx" ON "Finding"("cause");

-- CreateIndex
CREATE INDEX "Finding_goneAt_severity_idx" ON "Finding"("goneAt", "severity");
