-- AlterTable
ALTER TABLE "Store" ADD COLUMN "findingsRevision" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "StoreFinding" (
    "storeId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "transcriptId" TEXT NOT NULL,
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

    PRIMARY KEY ("storeId", "id"),
    CONSTRAINT "StoreFinding_storeId_fkey" FOREIGN KEY ("storeId") REFERENCES "Store" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "StoreFinding_goneAt_cause_idx" ON "StoreFinding"("goneAt", "cause");
