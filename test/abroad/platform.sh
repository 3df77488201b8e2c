#!/bin/bash
# Prints a platform for SimGrid: a machine that the trainer was not written for.
#
#   platform.sh fat-tree | torus | nodes | dragonfly                      64 processors each
#   platform.sh flat-1024 | fat-tree-1024 | torus-1024 | nodes-1024 | dragonfly-1024
#                                                                         1024
#
# fat-tree: leaves of 8 (16), with half as many links up as down; torus: 4 x 4 x 4 (8 x 8 x 16);
# nodes: 8 hosts of 8 (32 of 32) processors, which pass messages within a host six times as fast as
# between hosts; flat: one switch; dragonfly: 8 groups of 2 x 4 routers of a processor each, with quicker
# links than the others have (4 x 4 routers of 8, with the links of the others).
set -euo pipefail
common='speed="1Gf" bw="1.25GBps" lat="1.5us" loopback_bw="8GBps" loopback_lat="0.2us"'
case $1 in
fat-tree) shape='radical="0-63" topology="FAT_TREE" topo_parameters="2;8,8;1,4;1,1" sharing_policy="SPLITDUPLEX"' ;;
torus) shape='radical="0-63" topology="TORUS" topo_parameters="4,4,4" sharing_policy="SPLITDUPLEX"' ;;
nodes) shape='radical="0-7" sharing_policy="SPLITDUPLEX"' ;;
dragonfly)
    shape='radical="0-63" topology="DRAGONFLY" topo_parameters="8,1;2,1;4,1;1" sharing_policy="SPLITDUPLEX"'
    common='speed="1Gf" bw="3GBps" lat="0.4us" loopback_bw="12GBps" loopback_lat="0.1us"'
    ;;
flat-1024) shape='radical="0-1023" sharing_policy="SPLITDUPLEX"' ;;
fat-tree-1024) shape='radical="0-1023" topology="FAT_TREE" topo_parameters="2;16,64;1,8;1,1" sharing_policy="SPLITDUPLEX"' ;;
torus-1024) shape='radical="0-1023" topology="TORUS" topo_parameters="8,8,16" sharing_policy="SPLITDUPLEX"' ;;
dragonfly-1024) shape='radical="0-1023" topology="DRAGONFLY" topo_parameters="8,2;4,1;4,1;8" sharing_policy="SPLITDUPLEX"' ;;
nodes-1024) shape='radical="0-31" sharing_policy="SPLITDUPLEX"' ;;
*) echo "platform.sh: no platform '$1': expected fat-tree, torus, nodes or dragonfly, or flat, fat-tree, torus, nodes or dragonfly with -1024" >&2; exit 2 ;;
esac
cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="machine" prefix="n" suffix="" $shape $common/>
  </zone>
</platform>
XML
