"""Draws what a launch costs over the number of other streams, kernels next to native loops, and patterns of programs."""
import subprocess

LAUNCH_SCRIPT = """
set terminal pngcairo size 1200,750 font 'Sans,15' background 'white' linewidth 1.5
set output '{output}'
set title "What a launch on the null stream costs the host\\n{{/*0.8 {device}}}" font ',18'
set xlabel 'other blocking streams'
set ylabel 'time per launch (ns)'
set logscale xy
set xrange [0.8:1300]
set xtics (1, 4, 16, 64, 256, '1,000' 1000)
set ytics ({ytics})
set yrange [{low}:{high}]
set grid xtics ytics linecolor '#bbbbbb'
set border 3
set tics nomirror
set key left top Left reverse spacing 1.4
plot $figures using 1:4 with linespoints linecolor '#d95f02' pointtype 5 pointsize 1.3 \\
       title 'HIP, other streams busy: one launch on each before', \\
     $figures using 1:3 with linespoints linecolor '#1b62a5' pointtype 7 pointsize 1.6 \\
       title 'HIP, other streams idle', \\
     $figures using 1:2 with linespoints linecolor '#444444' dashtype 2 pointtype 6 pointsize 1.1 \\
       title 'raw Level Zero'
"""


KERNEL_SCRIPT = """
set terminal pngcairo size 1200,750 font 'Sans,15' background 'white' linewidth 1.5
set output '{output}'
set title "Kernels on the CPU driver\\n{{/*0.8 {device}}}" font ',18'
set ylabel 'time over that of a plain OpenMP loop'
set logscale y
set xrange [-0.6:{end}]
set yrange [0.05:*]
set xtics ({names}) rotate by -30
set grid ytics linecolor '#bbbbbb'
set border 3
set tics nomirror
set key left top Left reverse spacing 1.4
set style fill solid
plot $figures using ($1-0.2):2:(0.36) with boxes linecolor '#1b62a5' title 'CPU driver', \\
     $figures using ($1+0.2):4:(0.36) with boxes linecolor '#d95f02' title 'PoCL', \\
     $figures using ($1-0.4):3:(0.8):(0) with vectors nohead linecolor '#222222' linewidth 2.5 title 'limit', \\
     1 with lines linecolor '#444444' dashtype 2 title 'OpenMP'
"""


PATTERNS_SCRIPT = """
set terminal svg size 900,480 font 'sans-serif,14' background 'white'
set output '{output}'
set ylabel 'time per step (µs)'
set logscale y
set xrange [-0.6:{end}]
set xtics ({names})
set grid ytics linecolor '#bbbbbb'
set border 3
set tics nomirror
set key outside right top Left reverse
set style fill solid
set boxwidth 0.13
plot {bars}
"""


def draw_patterns(rows, labels, names, output):
    """Writes an SVG with gnuplot. A row is the number of a pattern and its times, in the order of the labels."""
    bars = ", ".join(f"$figures using ($1+{(i - (len(labels) - 1) / 2) * 0.14:.2f}):{i + 2} with boxes title '{plain(label)}'"
                     for i, label in enumerate(labels))
    run(PATTERNS_SCRIPT.format(output=output, end=len(rows) - 0.4, bars=bars,
                               names=", ".join(f"'{plain(name)}' {i}" for i, name in enumerate(names))), rows)


def draw_launch(figures, device, output):
    """Writes a PNG with gnuplot."""
    counts = sorted(int(key.split("_")[1]) for key in figures
                    if key.startswith("busy_") and key.endswith("_null_launch_ns"))
    rows = [(n, *(figures[key] for key in (f"raw_launch_idle_{n}_ns", f"launch_idle_{n}_ns",
                                                  f"busy_{n}_null_launch_ns"))) for n in counts]
    smallest = min(min(row[1:]) for row in rows)
    largest = max(max(row[1:]) for row in rows)
    ticks = [digit * 10.0**power for power in range(0, 9) for digit in (1, 2, 5)]
    low = max(tick for tick in ticks if tick < smallest)
    high = min(tick for tick in ticks if tick > 2.5 * largest)  # room for the legend
    script = LAUNCH_SCRIPT.format(output=output, device=plain(device), low=low, high=high,
                           ytics=", ".join(f"'{tick:,.0f}' {tick:g}" for tick in ticks if low <= tick <= high))
    run(script, rows)


def draw_kernels(figures, bars, device, output):
    """Writes a PNG with gnuplot. `bars` has the largest ratio allowed by key; figures that are missing are left out."""
    keys = [key for key in bars if key in figures]
    rows = [(i, figures[key], bars[key], figures.get(f"{key}_pocl", "NaN")) for i, key in enumerate(keys)]
    names = ", ".join(f"'{plain(key)}' {i}" for i, key in enumerate(keys))
    run(KERNEL_SCRIPT.format(output=output, device=plain(device), names=names, end=len(keys) - 0.4), rows)


def plain(text):
    """An _ would start a subscript, a quote end the string."""
    return text.replace("_", " ").replace("'", "")


def run(script, rows):
    data = "\n".join(" ".join(value if isinstance(value, str) else f"{value:g}" for value in row) for row in rows)
    subprocess.run(["gnuplot"], input=f"$figures << END\n{data}\nEND\n{script}", text=True, check=True)
