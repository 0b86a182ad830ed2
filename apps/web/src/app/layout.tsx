import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { ReactNode } from "react";
import { THEME_SCRIPT } from "@/features/frame/theme.ts";
import { DataContext } from "@/trpc/data-context.tsx";
import "./globals.css";

export const metadata = {
  title: "Belay",
  description: "Real terminals for AI agents, with a person on the rope.",
};
export const viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#14181b" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // Set before React starts, from this browser's stored theme.
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body className="min-h-dvh">
        <DataContext>{children}</DataContext>
      </body>
    </html>
  );
}
