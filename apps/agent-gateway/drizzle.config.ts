import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./src/store/sqlite/schema/index.ts", out: "./migrations" });
