{
  const root = document.documentElement;
  root.dataset.mode = localStorage.getItem("mode") || "auto";
  const dark = root.dataset.mode === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.mode === "dark";
  root.dataset.theme = dark ? "dark" : "light";
}
