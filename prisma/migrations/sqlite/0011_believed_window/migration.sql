-- AlterTable
ALTER TABLE "Session" ADD COLUMN "believedSource" TEXT;
ALTER TABLE "Session" ADD COLUMN "believedWindow" INTEGER;
